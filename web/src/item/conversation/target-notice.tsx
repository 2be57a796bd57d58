import { useTranslations } from 'use-intl';
import { Button } from '../../components/button.tsx';
import css from './conversation.module.css';
import type { Target } from './draft.ts';
import type { TargetState } from './use-target-state.ts';
import { writeTo } from './write-to.ts';

interface Props {
  readonly itemId: string;
  readonly target: Target;
  readonly state: TargetState;
}

/** Why it cannot go to whom it is for. It is never sent to another by itself: that is for the person to choose. */
export function TargetNotice({ itemId, target, state }: Props) {
  const t = useTranslations('talk');
  if (state.state === 'hears') return null;
  const { name } = target;
  return (
    <div role="alert" className={css.unsent}>
      <p className={`small ${css.lost}`}>
        {state.state === 'anew' ? t('targetAnew', { name }) : t('targetDeaf', { name, reason: state.reason })}
      </p>
      {state.state === 'anew' && (
        <Button onClick={() => writeTo(itemId, { ...target, generation: state.generation })}>
          {t('writeToAnew', { name })}
        </Button>
      )}
      <Button look="quiet" onClick={() => writeTo(itemId, null)}>
        {t('removeTarget')}
      </Button>
    </div>
  );
}
