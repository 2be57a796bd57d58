import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { visible } from '../../../../src/text/visible.ts';
import css from './contract.module.css';
import { changesBetween, type PartChange, type PartName, type Terms } from './contract-parts.ts';
import { wordChanges } from './word-changes.ts';

/** What a part is called. */
export function usePartName(): (name: PartName) => string {
  const t = useTranslations('contract.part');
  return (name) => {
    const [part, id] = name.split(/:(.*)/s);
    return id === undefined ? t(part as 'goal') : t('criterion', { id });
  };
}

/** Two contracts, part by part; only what differs. */
export function ContractDiff({ before, after }: { readonly before: Terms; readonly after: Terms }) {
  const t = useTranslations('contract');
  const changes = useMemo(() => changesBetween(before, after), [before, after]);
  if (changes.length === 0) return <p className="muted">{t('same')}</p>;
  return (
    <dl className={css.changes}>
      {changes.map((change) => (
        <Changed key={change.name} change={change} />
      ))}
    </dl>
  );
}

function Changed({ change: { name, before, after } }: { readonly change: PartChange }) {
  const partName = usePartName();
  const words = useMemo(() => wordChanges(before, after), [before, after]);
  let at = 0;
  return (
    <div>
      <dt>{partName(name)}</dt>
      <dd className={css.changed} dir="auto">
        {words.map(({ value, added, removed }) => {
          const key = `${at} ${added} ${removed}`;
          at += value.length;
          // What is confirmed here may be a command.
          const told = visible(value);
          if (added) return <ins key={key}>{told}</ins>;
          return removed ? <del key={key}>{told}</del> : <span key={key}>{told}</span>;
        })}
      </dd>
    </div>
  );
}
