import { Button } from '../components/button.tsx';
import { Mark, type Tone } from '../components/mark.tsx';
import { ProblemNotice } from '../components/problem.tsx';
import { ProofBar } from '../components/proof-bar.tsx';
import { Tag } from '../components/tag.tsx';

const TONES: readonly Tone[] = ['proven', 'working', 'needs', 'failed', 'unknown', 'held', 'quiet'];

/** Every component in every state; tests take its picture. */
export function GalleryPage() {
  return (
    <div style={{ display: 'grid', gap: 24, padding: 24, overflow: 'auto', height: '100%' }}>
      <h1>Gallery</h1>
      <section>
        {TONES.map((tone) => (
          <Mark key={tone} tone={tone}>
            {tone}
          </Mark>
        ))}
      </section>
      <ProofBar
        segments={['machine', 'independent', 'self', 'failed', 'stale', 'weak', 'working', 'missing', 'proven']}
      />
      <section style={{ display: 'flex', gap: 8 }}>
        <Button look="primary">Approve push to origin/fix</Button>
        <Button>Reject</Button>
        <Button look="quiet">Show context</Button>
        <Button look="danger">Stop and keep workspaces</Button>
        <Button busy>Saving</Button>
      </section>
      <section style={{ display: 'flex', gap: 8 }}>
        <Tag look="machine">machine</Tag>
        <Tag look="independent">independent</Tag>
        <Tag look="self">self</Tag>
        <Tag look="missing">missing</Tag>
        <Tag look="warning">tests changed</Tag>
        <Tag look="failed">failed</Tag>
      </section>
      <ProblemNotice
        problem={{
          code: 'contract_conflict',
          status: 409,
          detail: 'Somebody changed the contract meanwhile.',
          expected: 'version 3',
          found: 'version 4',
          next: 'Read it again.',
        }}
      />
    </div>
  );
}
