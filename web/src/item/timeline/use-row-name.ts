import { useTranslations } from 'use-intl';
import type { Row } from './layout.ts';

/** An Action's name, or a name for what is no Action's. */
export function useRowName(): (row: Row) => string {
  const t = useTranslations('timeline');
  return ({ place, name }) => (place === 'coordinator' || place === 'engine' ? t(place) : name);
}
