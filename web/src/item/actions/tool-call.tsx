import { useQuery } from '@tanstack/react-query';
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Tag } from '../../components/tag.tsx';
import css from './actions.module.css';
import { contentQuery } from './queries.ts';
import { answersIn, inputLine, type ToolAnswer, type ToolUse } from './transcript-steps.ts';

interface Props {
  readonly itemId: string;
  readonly use: ToolUse;
  readonly answer: ToolAnswer | undefined;
  /** The request that came behind it, where its answer is unless it is known already. */
  readonly laterHash: string | undefined;
}

/** A tool in one line; what it was given and what it answered when opened. */
export function ToolCall({ itemId, use, answer, laterHash }: Props) {
  const t = useTranslations('actions');
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={css.tool}>
      <button type="button" className={css.toolLine} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <ChevronRight size={14} aria-hidden className={css.chevron} />
        <strong>{use.name}</strong>
        <code className={css.input}>{inputLine(use.input)}</code>
        {answer?.isError && <Tag look="failed">{t('toolFailed')}</Tag>}
      </button>
      {isOpen && (
        <div className={css.toolBody}>
          <Bytes label={t('given')} text={JSON.stringify(use.input, undefined, 2)} />
          {answer ? (
            <Bytes label={t('answered')} text={answer.text} />
          ) : (
            <LaterAnswer itemId={itemId} id={use.id} hash={laterHash} />
          )}
        </div>
      )}
    </div>
  );
}

/** What was left out of newer requests is in the one that came right behind. */
function LaterAnswer({
  itemId,
  id,
  hash,
}: {
  readonly itemId: string;
  readonly id: string;
  readonly hash: string | undefined;
}) {
  const t = useTranslations('actions');
  const { data } = useQuery({ ...contentQuery(itemId, hash ?? ''), enabled: hash !== undefined });
  const answer = data === undefined ? undefined : answersIn(data).get(id);
  if (answer) return <Bytes label={t('answered')} text={answer.text} />;
  return <p className="small muted">{t('noAnswer')}</p>;
}

function Bytes({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <section aria-label={label}>
      <p className="small faint">{label}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and so has to be reached by keyboard */}
      <pre className={css.bytes} tabIndex={0} dir="auto">
        {text}
      </pre>
    </section>
  );
}
