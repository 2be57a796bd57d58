import { useTranslations } from 'use-intl';
import { Link, useLocation } from 'wouter';
import { PageTitle } from './page-title.tsx';
import css from './state.module.css';

/** An address at which there is nothing, and where one may have wanted to go. */
export function NotFound() {
  const t = useTranslations('notFound');
  const [address] = useLocation();
  return (
    <div className={`${css.state} ${css.whole}`}>
      <PageTitle name={t('title')} />
      <h1>{t('title')}</h1>
      <p className="muted">
        {t('text')} <code dir="auto">{address}</code>
      </p>
      <div className={css.choices}>
        <Link href="/" className={css.link}>
          {t('board')}
        </Link>
        <Link href="/needs-you" className={css.link}>
          {t('needsYou')}
        </Link>
      </div>
    </div>
  );
}

/** Part of an address leads nowhere; what the rest of it leads to follows. */
export function ShownInstead() {
  const t = useTranslations('notFound');
  const [address] = useLocation();
  return (
    <p className={css.instead} role="status">
      {t('text')} <code dir="auto">{address}</code> {t('instead')}
    </p>
  );
}

/** An item that is not there: deleted in another tab, or an address that was typed or cut off. */
export function NoSuchItem({ id }: { readonly id: string }) {
  const t = useTranslations('notFound');
  return (
    <div className={`${css.state} ${css.whole}`}>
      <PageTitle name={t('item')} />
      <h1>{t('item')}</h1>
      <p className="muted">
        {t('itemText')} <code dir="auto">{id}</code>
      </p>
      <div className={css.choices}>
        <Link href="/" className={css.link}>
          {t('board')}
        </Link>
        <Link href={`/?${new URLSearchParams({ q: id })}`} className={css.link}>
          {t('search')}
        </Link>
      </div>
    </div>
  );
}
