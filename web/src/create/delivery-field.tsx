import { RadioGroup } from 'radix-ui';
import { useId } from 'react';
import { useTranslations } from 'use-intl';
import css from './create.module.css';
import { useCreate } from './create-context.ts';
import { FieldNotice } from './field-notice.tsx';

const TARGETS = ['workspace_files', 'merge', 'pull_request', 'response'] as const;

/** Where the result goes, in plain words. */
export function DeliveryField() {
  const t = useTranslations('create.delivery');
  const { form, change } = useCreate();
  const id = useId();
  const goesIntoBranch = form.target === 'merge' || form.target === 'pull_request';
  return (
    <section className={css.field} aria-labelledby={id} data-field="delivery">
      <h2 id={id}>{t('title')}</h2>
      <RadioGroup.Root
        aria-labelledby={id}
        className={css.targets}
        value={form.target}
        onValueChange={(value) =>
          change((now) => ({ ...now, target: TARGETS.find((each) => each === value) ?? now.target }))
        }
      >
        {TARGETS.map((target) => (
          <RadioGroup.Item
            key={target}
            value={target}
            className={css.target}
            aria-labelledby={`${id}-${target}`}
            aria-describedby={`${id}-${target}-means`}
          >
            <span className={css.radio} aria-hidden="true" />
            <span>
              <strong id={`${id}-${target}`}>{t(`target.${target}`)}</strong>
              <span id={`${id}-${target}-means`} className="small muted">
                {t(`means.${target}`)}
              </span>
            </span>
          </RadioGroup.Item>
        ))}
      </RadioGroup.Root>
      {goesIntoBranch && (
        <label className={css.field}>
          <span className={css.name}>{t('branch')}</span>
          <input
            className={`${css.input} ${css.command}`}
            value={form.branch}
            maxLength={256}
            autoCapitalize="off"
            spellCheck={false}
            placeholder={t('branchPlaceholder')}
            onChange={({ target }) => change((now) => ({ ...now, branch: target.value }))}
          />
        </label>
      )}
      <FieldNotice field="delivery" id={`${id}-notice`} />
    </section>
  );
}
