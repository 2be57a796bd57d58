import { useTranslations } from 'use-intl';
import type { Request } from '../../../src/client/index.ts';
import { inbox } from '../i18n/en/inbox.ts';

type Known = keyof typeof inbox.ask.choice;

const isKnown = (choice: string): choice is Known => Object.hasOwn(inbox.ask.choice, choice);

/** What a choice does, in words; one that is newer than this page is shown by its own name. */
export function useChoiceName({ subject }: Pick<Request, 'subject'>): (choice: string) => string {
  const t = useTranslations('ask');
  return (choice) => {
    if (choice === 'close' && subject.kind === 'replan') return t('closeReplan');
    return isKnown(choice) ? t(`choice.${choice}`) : choice.replaceAll('_', ' ');
  };
}
