import { useTranslations } from 'use-intl';
import { KeyedFields } from '../keyed-fields.tsx';
import { SettingField } from '../setting-field.tsx';
import { GENERAL } from '../table.ts';
import { WithSettings } from '../with-settings.tsx';

/** How work is begun, and what everybody is told. */
export function GeneralSection() {
  const t = useTranslations('settings.group');
  return (
    <WithSettings>
      {(current) => (
        <>
          {GENERAL.map((setting) => (
            <SettingField key={setting.name} current={current} setting={setting} />
          ))}
          <KeyedFields
            current={current}
            path={['instructions']}
            kind={{ as: 'long' }}
            title={t('instructions')}
            help={t('instructionsHelp')}
          />
        </>
      )}
    </WithSettings>
  );
}
