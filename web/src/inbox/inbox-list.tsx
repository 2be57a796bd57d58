import { Check } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { RowButton, RowHead } from '../components/list-beside.tsx';
import { Mark } from '../components/mark.tsx';
import { Ago, nameOfDirectory } from '../components/values.tsx';
import css from './inbox.module.css';
import { sinceOf } from './line-key.ts';
import { questionOf } from './question.ts';
import { useHoldName } from './use-hold-name.ts';
import type { ShownLine } from './use-inbox.ts';

interface Props {
  readonly lines: readonly ShownLine[];
  readonly selected: string | undefined;
  readonly onSelect: (key: string) => void;
}

/** What waits, a line each. */
export function InboxList({ lines, selected, onSelect }: Props) {
  const t = useTranslations('inbox');
  return (
    <ol aria-label={t('list')}>
      {lines.map((shown) => (
        <li key={shown.key}>
          <Row shown={shown} isSelected={shown.key === selected} onSelect={onSelect} />
        </li>
      ))}
    </ol>
  );
}

interface RowProps {
  readonly shown: ShownLine;
  readonly isSelected: boolean;
  readonly onSelect: Props['onSelect'];
}

function Row({ shown: { line, key, result }, isSelected, onSelect }: RowProps) {
  const t = useTranslations();
  const holdName = useHoldName();
  const { item, request, hold } = line;
  return (
    <RowButton data-line={key} isChosen={isSelected} onClick={() => onSelect(key)}>
      <RowHead>
        <span className="small">
          {request ? (
            <Mark tone="needs">{t(`request.${request.kind}`)}</Mark>
          ) : (
            <Mark tone="held">{t('inbox.held')}</Mark>
          )}
        </span>
        <span className="small faint">
          <Ago at={sinceOf(line)} />
        </span>
      </RowHead>
      <span className={`${css.rowText} clamp2`} dir="auto">
        {request ? questionOf(request) : holdName(hold?.code ?? '')}
      </span>
      {result === undefined ? (
        <span className={`${css.rowFoot} clamp1`} dir="auto">
          {item.title} · {nameOfDirectory(item.directory)}
        </span>
      ) : (
        <span className={css.result}>
          <Check size={14} aria-hidden /> {result}
        </span>
      )}
    </RowButton>
  );
}
