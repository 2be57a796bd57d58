import { useTranslations } from 'use-intl';
import type { ClientProblem } from '../../../src/client/index.ts';
import { Button } from '../components/button.tsx';
import css from './create.module.css';
import type { Form } from './form.ts';

interface Props {
  readonly problem: ClientProblem;
  readonly onChoose: (part: Pick<Form, 'dirty'>) => void;
}

/** What can be done about uncommitted work, where it was refused; nothing beside other refusals. */
export function DirtyChoices({ problem, onChoose }: Props) {
  const t = useTranslations('create.grounds');
  if (problem.code !== 'uncommitted_work') return null;
  return (
    <div className={css.row}>
      {(['snapshot', 'in-place'] as const).map((dirty) => (
        <Button key={dirty} onClick={() => onChoose({ dirty })}>
          {t(dirty)}
        </Button>
      ))}
    </div>
  );
}
