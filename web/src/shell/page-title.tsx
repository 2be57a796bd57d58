import { useTranslations } from 'use-intl';

/** What a tab and the history of the browser say of this place. */
export function PageTitle({ name }: { readonly name: string }) {
  const t = useTranslations('app');
  return <title>{`${name} · ${t('name')}`}</title>;
}
