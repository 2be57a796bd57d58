import { useTranslations } from 'use-intl';
import { SettingField } from '../setting-field.tsx';
import css from '../settings.module.css';
import { OF_DAY, OF_WORK } from '../table.ts';
import { WithSettings } from '../with-settings.tsx';

/** What work may use before a person is asked. */
export function BudgetSection() {
  const t = useTranslations('settings.group');
  return (
    <WithSettings>
      {(current) =>
        (
          [
            ['newWork', OF_WORK],
            ['day', OF_DAY],
          ] as const
        ).map(([group, table]) => (
          <fieldset key={group} className={css.group}>
            <legend>{t(group)}</legend>
            {table.map((setting) => (
              <SettingField key={setting.name} current={current} setting={setting} />
            ))}
          </fieldset>
        ))
      }
    </WithSettings>
  );
}
