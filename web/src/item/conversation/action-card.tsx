import { MessageSquare } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Link } from 'wouter';
import type { ActionLine } from '../../../../src/client/index.ts';
import { IconButton } from '../../components/button.tsx';
import { Mark, toneOf } from '../../components/mark.tsx';
import { statusOf } from '../actions/status-of.ts';
import { Worked } from '../actions/worked.tsx';
import css from './conversation.module.css';
import { writeTo } from './write-to.ts';

interface Props {
  readonly itemId: string;
  readonly action: ActionLine;
  /** How often it claimed what the engine's own check then did not find. */
  readonly refused: number;
  /** A request of it is open, so that it waits for a person although its Run has not ended. */
  readonly isAsking: boolean;
}

/** An Action in the conversation: what it is, who does it, how it stands; the rest is one click away. */
export function ActionCard({ itemId, action, refused, isAsking }: Props) {
  const t = useTranslations();
  const { id, name, executor, runs, wallMs, generation } = action;
  const status = isAsking && action.status === 'running' ? 'waiting' : statusOf(action);
  return (
    <li className={css.action}>
      <Link href={`/work/${itemId}/actions/${id}`} className={`${css.actionName} clamp2`} dir="auto" title={name}>
        {name}
      </Link>
      <Mark tone={toneOf(status)}>{t(`status.${status}`)}</Mark>
      <span className="small muted">
        {executor.who}
        {action.for.length > 0 && ` · ${action.for.join(', ')}`}
        {runs > 1 && ` · ${t('talk.runs', { runs })}`}
        {refused > 0 && (
          <>
            {' · '}
            <span className={css.lost}>{t('talk.refused', { n: refused })}</span>
          </>
        )}
      </span>
      <span className={`small faint num ${css.actionEnd}`}>
        <Worked wallMs={wallMs} />
        {action.can.message?.allowed && (
          <IconButton
            label={t('talk.messageAction', { name })}
            icon={<MessageSquare size={14} aria-hidden />}
            onClick={() => writeTo(itemId, { actionId: id, generation, name })}
          />
        )}
      </span>
    </li>
  );
}
