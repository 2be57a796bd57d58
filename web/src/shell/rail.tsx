import { Bot, Inbox, Search, Settings, SquareKanban } from 'lucide-react';
import type { ComponentType } from 'react';
import { useTranslations } from 'use-intl';
import { Link, useRoute } from 'wouter';
import css from './rail.module.css';

interface Place {
  readonly to: string;
  readonly pattern: string;
  readonly name: 'needsYou' | 'board' | 'vps' | 'settings';
  readonly icon: ComponentType<{ readonly size?: number; readonly 'aria-hidden'?: boolean }>;
}

const PLACES: readonly Place[] = [
  { to: '/needs-you', pattern: '/needs-you/*?', name: 'needsYou', icon: Inbox },
  { to: '/', pattern: '/', name: 'board', icon: SquareKanban },
  { to: '/vps', pattern: '/vps/*?', name: 'vps', icon: Bot },
  { to: '/settings', pattern: '/settings/*?', name: 'settings', icon: Settings },
];

/** Where one can go, and how much waits there. On a phone it lies at the bottom. */
export function Rail({ needsYou, onPalette }: { readonly needsYou: number; readonly onPalette: () => void }) {
  const t = useTranslations('rail');
  return (
    <nav className={css.rail} aria-label={t('label')}>
      {PLACES.map((place) => (
        <PlaceLink key={place.to} place={place} count={place.name === 'needsYou' ? needsYou : 0} />
      ))}
      <button type="button" className={css.place} onClick={onPalette} title={t('palette')} aria-label={t('palette')}>
        <Search size={18} aria-hidden />
      </button>
    </nav>
  );
}

function PlaceLink({
  place: { to, pattern, name, icon: Icon },
  count,
}: {
  readonly place: Place;
  readonly count: number;
}) {
  const t = useTranslations('rail');
  const [here] = useRoute(pattern);
  return (
    <Link
      href={to}
      className={`${css.place} ${here ? css.here : ''} ${css[name] ?? ''}`}
      aria-current={here ? 'page' : undefined}
      title={t(name)}
    >
      <Icon size={18} aria-hidden />
      <span className="sr-only">{t(name)}</span>{' '}
      {count > 0 && <span className={css.count}>{count > 99 ? '99+' : count}</span>}
    </Link>
  );
}
