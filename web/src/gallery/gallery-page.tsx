import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button, IconButton } from '../components/button.tsx';
import { ContentLabel } from '../components/content-label.tsx';
import { CopyId } from '../components/copy-id.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Kbd } from '../components/kbd.tsx';
import { Mark, type Tone } from '../components/mark.tsx';
import { ProblemNotice } from '../components/problem.tsx';
import { ProofBar, type Segment } from '../components/proof-bar.tsx';
import { Tag, type TagLook } from '../components/tag.tsx';
import { Ago, useMoney } from '../components/values.tsx';
import { Failed } from '../shell/failed.tsx';
import { Loading } from '../shell/loading.tsx';
import { PageTitle } from '../shell/page-title.tsx';
import css from './gallery.module.css';
import { Shown } from './shown.tsx';

const TONES: readonly Tone[] = ['proven', 'working', 'needs', 'failed', 'unknown', 'held', 'quiet'];
const TAGS: readonly TagLook[] = ['machine', 'independent', 'self', 'missing', 'warning', 'failed', 'plain'];
const SEGMENTS: readonly Segment[] = [
  'machine',
  'independent',
  'self',
  'failed',
  'stale',
  'weak',
  'working',
  'missing',
];
const MANY: readonly Segment[] = Array.from({ length: 40 }, (_, n) => (n < 25 ? 'machine' : 'missing'));
const REFUSAL = {
  code: 'contract_version_stale',
  status: 409,
  detail: 'Somebody changed the contract meanwhile.',
  expected: 'version 3',
  found: 'version 4',
  next: 'Read it again, and change that.',
};
const NOON = '2026-01-05T12:00:00Z';
const nothing = (): void => undefined;

/** Every component in every state; tests take its picture. */
export function GalleryPage() {
  const t = useTranslations('gallery');
  return (
    <div className={css.gallery}>
      <PageTitle name={t('title')} />
      <h1>{t('title')}</h1>
      <Signs />
      <Buttons />
      <Values />
      <Refusals />
      <States />
    </div>
  );
}

function Signs() {
  return (
    <>
      <Shown name="Mark">
        {TONES.map((tone) => (
          <Mark key={tone} tone={tone}>
            {tone}
          </Mark>
        ))}
      </Shown>
      <Shown name="Tag">
        {TAGS.map((look) => (
          <Tag key={look} look={look}>
            {look}
          </Tag>
        ))}
      </Shown>
      <Shown name="ContentLabel">
        {(['live', 'snapshot', 'diff', 'log'] as const).map((kind) => (
          <ContentLabel key={kind} kind={kind}>
            <code>052d6bf</code>
          </ContentLabel>
        ))}
      </Shown>
      <Shown name="ProofBar">
        <ProofBar segments={SEGMENTS} />
        <ProofBar segments={MANY} />
        <ProofBar segments={SEGMENTS.slice(0, 1)} />
      </Shown>
    </>
  );
}

function Buttons() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Shown name="Button">
        <Button look="primary">Approve push to origin/fix</Button>
        <Button icon={<Plus size={15} aria-hidden />}>Add a criterion</Button>
        <Button look="quiet">Show context</Button>
        <Button look="danger">Stop and keep workspaces</Button>
        <Button busy>Saving</Button>
        <Button disabled>Start</Button>
        <IconButton label="Remove" icon={<X size={16} aria-hidden />} />
      </Shown>
      <Shown name="Dialog">
        <Button onClick={() => setOpen(true)}>Stop…</Button>
        <Dialog open={isOpen} onOpenChange={setOpen} title="Stop this work" description="What is done is kept.">
          <Button look="danger" onClick={() => setOpen(false)}>
            Stop and keep workspaces
          </Button>
        </Dialog>
      </Shown>
    </>
  );
}

function Values() {
  const money = useMoney();
  return (
    <Shown name="Values">
      <Kbd keys="mod+k" />
      <Kbd keys="n" />
      <CopyId id="w0d2c4e6" />
      <Ago at={NOON} />
      <span className="num">{money(1_230_000)}</span>
      <span className="num">{money(4_200)}</span>
    </Shown>
  );
}

function Refusals() {
  return (
    <>
      <Shown name="ProblemNotice">
        <ProblemNotice problem={REFUSAL} />
        <ProblemNotice
          problem={{ code: 'unreachable', status: 0, detail: 'The server cannot be reached.' }}
          onRetry={nothing}
        />
      </Shown>
      <Shown name="Failed">
        <Failed error={new Error('criteria.map is not a function')} extent="part" onAgain={nothing} />
      </Shown>
    </>
  );
}

const States = () => (
  <Shown name="Loading">
    <Loading />
  </Shown>
);
