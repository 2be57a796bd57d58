import { useTranslations } from 'use-intl';
import type { CurrentSettings } from '../../../src/client/index.ts';
import { Field } from './field.tsx';
import { type Setting, typedOf } from './table.ts';

interface Props {
  readonly current: CurrentSettings;
  readonly setting: Setting;
}

/** A setting of the table, with its name and what it is for. */
export function SettingField({ current, setting }: Props) {
  const t = useTranslations('settings');
  const { name, initial } = setting;
  const shown = initial === undefined ? '' : initial === null ? t('noDefault') : defaultOf(initial, t('on'), t('off'));
  return (
    <Field
      current={current}
      path={setting.path}
      kind={setting.kind}
      name={t(`field.${name}.name`)}
      help={t(`field.${name}.help`)}
      initial={shown}
    />
  );
}

const defaultOf = (initial: string | number | boolean, on: string, off: string): string => {
  if (typeof initial === 'boolean') return initial ? on : off;
  return typedOf(initial);
};
