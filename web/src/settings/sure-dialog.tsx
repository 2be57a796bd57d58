import type { ReactNode } from 'react';
import { problemOf } from '../api/client.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { ProblemNotice } from '../components/problem.tsx';

interface Props {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly title: string;
  readonly text: string;
  readonly doIt: string;
  readonly busy: boolean;
  readonly error: unknown;
  readonly onDo: () => void;
  readonly children?: ReactNode;
}

/** What cannot be undone is asked for once more, with what it leads to. */
export function SureDialog({ open, onOpenChange, title, text, doIt, busy, error, onDo, children }: Props) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={title} description={text}>
      {children}
      {error !== null && error !== undefined && <ProblemNotice problem={problemOf(error)} />}
      <div>
        <Button look="danger" busy={busy} onClick={onDo}>
          {doIt}
        </Button>
      </div>
    </Dialog>
  );
}
