import { useTranslations } from 'use-intl';
import type { Executor } from '../../../../src/client/index.ts';

/** Who carries it out: a VP with its model, a command, or the engine. */
export function useWho(): (executor: Executor) => string {
  const t = useTranslations('actions');
  return ({ kind, who, model }) => {
    if (kind === 'verify') return t('engine');
    if (kind === 'command') return t('command', { command: who });
    return model === null ? who : `${who} · ${model}`;
  };
}
