import { useFormatter, useTranslations } from 'use-intl';
import type { CurrentSettings, Models } from '../../../src/client/index.ts';
import { Field } from './field.tsx';
import type { Setting } from './table.ts';

interface Props {
  readonly current: CurrentSettings;
  readonly setting: Setting;
  /** What holds while nothing is set, where only the server knows it. */
  readonly inForce?: string | null | undefined;
  /** Why what is set cannot be used. */
  readonly problem?: Models['coordinator']['problem'] | undefined;
}

/** A setting of the table, with its name and what it is for. */
export function SettingField({ current, setting, inForce = null, problem = null }: Props) {
  const t = useTranslations('settings');
  const format = useFormatter();
  const { name, initial } = setting;
  const shown = (): string => {
    if (initial === undefined) return inForce ?? '';
    if (initial === null) return t('noDefault');
    if (typeof initial === 'boolean') return initial ? t('on') : t('off');
    return typeof initial === 'number' ? format.number(initial) : initial;
  };
  return (
    <Field
      current={current}
      path={setting.path}
      kind={setting.kind}
      name={t(`field.${name}.name`)}
      help={t(`field.${name}.help`)}
      initial={shown()}
      {...(problem ? { warning: t('models.cannotUse', problem) } : {})}
    />
  );
}
