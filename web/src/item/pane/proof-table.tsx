import { useTranslations } from 'use-intl';
import { Link } from 'wouter';
import type { Item, Proof, Receipt as ReceiptData } from '../../../../src/client/index.ts';
import { Tag, type TagLook } from '../../components/tag.tsx';
import { Ago, duration } from '../../components/values.tsx';
import css from './overview.module.css';
import { Rerun } from './rerun.tsx';

const FLAGS = [
  'red_to_green',
  'already_green',
  'base_unknown',
  'protected_restored',
  'tests_changed',
  'script_changed',
  'setup_changed',
  'not_sandboxed',
  'in_place',
  'concurrent_write',
] as const;

/** What the item itself tells of a criterion; its claim is read apart, and not known at once. */
type Standing = Item['criteria'][number] & { readonly claim?: Proof['claim'] };

/** The heart of the page: for each criterion the strength of its proof, and the receipt that anybody can repeat. */
export function ProofTable({ item, proofs }: { readonly item: Item; readonly proofs: readonly Proof[] }) {
  const t = useTranslations('pane');
  return (
    <table className={css.table}>
      <thead>
        <tr>
          <th scope="col">{t('criterion')}</th>
          <th scope="col" className={css.proof}>
            {t('proof')}
          </th>
          <th scope="col" className={css.receipt}>
            {t('receipt')}
          </th>
        </tr>
      </thead>
      <tbody>
        {item.criteria.map((criterion) => (
          <Row key={criterion.id} item={item} proof={proofs.find(({ id }) => id === criterion.id) ?? criterion} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ item, proof }: { readonly item: Item; readonly proof: Standing }) {
  const t = useTranslations('pane');
  const isStale = proof.standing === 'stale';
  return (
    <tr className={isStale ? css.stale : undefined}>
      <td>
        <code className="faint">{proof.id}</code>{' '}
        <span className={css.text} dir="auto">
          {proof.text}
        </span>
        {isStale && proof.staledBy !== null && (
          <p className={`small ${css.why}`}>{t('staleBy', { action: proof.staledBy })}</p>
        )}
      </td>
      <td className={css.proof}>
        <Strength proof={proof} />
      </td>
      <td className={`small muted ${css.receipt}`}>
        <div className={css.repeatable}>
          <div>
            <Receipt itemId={item.id} proof={proof} />
          </div>
          {proof.check !== null && item.can.rerun.allowed && (
            <Rerun
              itemId={item.id}
              criterionId={proof.id}
              isAgain={hasRun(proof)}
              hasPassed={proof.claim?.receipt?.verdict === 'passed'}
            />
          )}
        </div>
      </td>
    </tr>
  );
}

/** Until claims are read, what is met or failed was run; a claim without a receipt was not. */
const hasRun = ({ claim, standing }: Standing): boolean =>
  claim ? claim.receipt !== null : standing !== 'unmet' && standing !== 'weak';

const lookOf = ({ standing, proof }: Standing): TagLook => {
  if (standing === 'passed') return proof ?? 'machine';
  return standing === 'failed' ? 'failed' : 'missing';
};

function Strength({ proof }: { readonly proof: Standing }) {
  const t = useTranslations();
  const { standing, proof: strength, flags } = proof;
  const isProven = standing === 'passed' && strength !== null;
  return (
    <span className={css.tags}>
      <Tag look={lookOf(proof)} {...(isProven ? { title: t(`proof.${strength}Long`) } : {})}>
        {isProven ? t(`proof.${strength}`) : t(`standing.${standing}`)}
      </Tag>
      {flags.map((flag) => (
        <Flag key={flag} flag={flag} />
      ))}
    </span>
  );
}

/** What a receipt says besides its verdict; that the work made the difference is no warning. */
function Flag({ flag }: { readonly flag: string }) {
  const t = useTranslations('flag');
  const known = FLAGS.find((each) => each === flag);
  const said = known ? t(known) : flag.replaceAll('_', ' ');
  if (known === 'red_to_green') return <span className="small muted">{said}</span>;
  return <Tag look="warning">{said}</Tag>;
}

interface ReceiptProps {
  readonly itemId: string;
  readonly proof: Standing;
}

/** Who showed it and when, with the way to where it happened; or what would show it. */
function Receipt({ itemId, proof: { claim, check, minProof, standing } }: ReceiptProps) {
  const t = useTranslations('pane');
  if (claim === undefined && standing !== 'unmet') return null;
  if (!claim) return check === null ? t('noCheck', { proof: minProof }) : <code>{check}</code>;
  const { receipt, actionId, runId, at, evidence } = claim;
  return (
    <>
      {receipt ? <Checked receipt={receipt} /> : <span dir="auto">{evidence}</span>}
      <br />
      <Link href={`/work/${itemId}/actions/${actionId}/runs/${runId}`} className={css.link}>
        {t('run')}
      </Link>{' '}
      · <Ago at={at} />
    </>
  );
}

function Checked({ receipt: { command, exitCode, durationMs, at } }: { readonly receipt: ReceiptData }) {
  const t = useTranslations('pane');
  return (
    <>
      <code>{command}</code>
      <br />
      {exitCode !== null && `${t('exit', { code: exitCode })} · `}
      {duration(durationMs)} · <code>{at.slice(0, 7)}</code>
    </>
  );
}
