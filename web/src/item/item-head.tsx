import { useTranslations } from 'use-intl';
import { Link } from 'wouter';
import type { Item } from '../../../src/client/index.ts';
import { CopyId } from '../components/copy-id.tsx';
import { Mark, toneOf } from '../components/mark.tsx';
import { Ago, nameOfDirectory } from '../components/values.tsx';
import css from './item.module.css';
import { ItemControls } from './item-controls.tsx';

/** What it is, how it stands in one sentence, and what may be done with all of it. */
export function ItemHead({ item }: { readonly item: Item }) {
  const t = useTranslations();
  const status = statusOf(item);
  return (
    <header className={css.head}>
      <p className={css.crumb}>
        <Link href={`/?${new URLSearchParams({ directory: item.directory })}`} title={item.directory}>
          {nameOfDirectory(item.directory)}
        </Link>
        <span aria-hidden="true">/</span>
        <CopyId id={item.id} />
        <span aria-hidden="true">·</span>
        <Ago at={item.createdAt} />
      </p>
      <h1 className={`${css.title} clamp2`} dir="auto" title={item.title}>
        {item.title}
      </h1>
      <ItemControls item={item} />
      <p className={css.status} aria-live="polite">
        <Mark tone={toneOf(status)}>{t(`status.${status}`)}</Mark>
        <span className={`muted clamp2 ${css.sentence}`} dir="auto" title={item.sentence}>
          {item.sentence}
        </span>
      </p>
    </header>
  );
}

const STATUSES = [
  'draft',
  'deciding',
  'ready',
  'running',
  'waiting',
  'needs_attention',
  'cancelling',
  'cancelled',
  'done',
] as const;

const GOES_ON: ReadonlySet<string> = new Set(['deciding', 'ready', 'running']);

/** What it is for whoever looks at it: a hold, and a question while others work, are states of their own. */
function statusOf({ hold, status, lane }: Item): (typeof STATUSES)[number] | 'held' | 'unknown' {
  if (hold) return 'held';
  if (lane === 'needs_you' && GOES_ON.has(status)) return 'waiting';
  return STATUSES.find((each) => each === status) ?? 'unknown';
}
