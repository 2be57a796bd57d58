import { useTranslations } from 'use-intl';
import { inbox } from '../i18n/en/inbox.ts';

type Known = keyof typeof inbox.hold.code;

const isKnown = (code: string): code is Known => Object.hasOwn(inbox.hold.code, code);

/** Why an item is held, in words. */
export function useHoldName(): (code: string) => string {
  const t = useTranslations('hold');
  return (code) => (isKnown(code) ? t(`code.${code}`) : code.replaceAll('_', ' '));
}
