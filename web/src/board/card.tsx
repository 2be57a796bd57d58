import { useFormatter, useTranslations } from 'use-intl';
import { Link } from 'wouter';
import type { ItemSummary } from '../../../src/client/index.ts';
import { ProofBar, type Segment } from '../components/proof-bar.tsx';
import { Ago, nameOfDirectory, useMoney } from '../components/values.tsx';
import { useWho } from '../item/actions/who.ts';
import css from './board.module.css';

/** Where one piece of work stands: in words, as a bar of proofs; who works on it now, what it has cost, how old it is. */
export function Card({ item }: { readonly item: ItemSummary }) {
  const t = useTranslations('board');
  return (
    <Link href={`/work/${item.id}`} className={`${css.card} ${item.lane === 'needs_you' ? css.needs : ''}`}>
      <span className={`${css.title} clamp2`} dir="auto">
        {item.title}
      </span>
      <span className={`${css.sentence} clamp2`} dir="auto">
        {item.quarantined === undefined ? item.statusSentence : t('quarantined', { reason: item.quarantined })}
      </span>
      <ProofBar segments={segmentsOf(item)} />
      {item.atWork.length > 0 && <AtWork executors={item.atWork} />}
      <span className={`${css.foot} num`}>
        <span title={item.directory}>{nameOfDirectory(item.directory)}</span>
        <Cost item={item} />
        <span className={css.age}>
          <Ago at={item.lane === 'done' ? item.updatedAt : item.createdAt} />
        </span>
      </span>
    </Link>
  );
}

/** Items of older versions tell how many are proven, and not which by what. */
const segmentsOf = ({ marks, proven, total }: ItemSummary): readonly Segment[] =>
  marks ?? Array.from({ length: total }, (_, index) => (index < proven ? 'proven' : 'missing'));

const NAMED = 3;

/** Who carries out what runs now; a few of them. */
function AtWork({ executors }: { readonly executors: ItemSummary['atWork'] }) {
  const t = useTranslations('board');
  const who = useWho();
  const format = useFormatter();
  const names = executors.slice(0, NAMED).map((executor) => who({ ...executor, model: null }));
  const all = format.list(executors.length > NAMED ? [...names, t('others')] : names);
  return (
    <span className={css.atWork} dir="auto">
      {t('atWork', { names: all })}
    </span>
  );
}

function Cost({ item: { usage, costLimitMicros } }: { readonly item: ItemSummary }) {
  const t = useTranslations('board');
  const money = useMoney();
  if (!usage.metered) return <span>{t('unmetered')}</span>;
  const cost = money(usage.costMicros);
  return <span>{costLimitMicros === null ? cost : t('cost', { cost, limit: money(costLimitMicros) })}</span>;
}
