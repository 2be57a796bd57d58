import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { problemOf } from '../../api/client.ts';
import { ProblemNotice } from '../../components/problem.tsx';
import { KeyedFields } from '../keyed-fields.tsx';
import { ModelNames } from '../model-names.tsx';
import { ModelWays } from '../model-ways.tsx';
import { ModelsInUse } from '../models-in-use.tsx';
import { PriceList } from '../price-list.tsx';
import { modelsQuery } from '../queries.ts';
import { SettingField } from '../setting-field.tsx';
import css from '../settings.module.css';
import { COORDINATOR, TAGS } from '../table.ts';
import { WithSettings } from '../with-settings.tsx';

/** Which model does what, whether it could be called, and what it costs. */
export function ModelsSection() {
  const t = useTranslations('settings.group');
  const models = useQuery(modelsQuery);
  const tagOf = (name: string) => models.data?.tags.find(({ tag }) => tag === name);
  return (
    <WithSettings>
      {(current) => (
        <>
          <ModelNames />
          <ModelWays />
          <SettingField current={current} setting={COORDINATOR} problem={models.data?.coordinator.problem} />
          <fieldset className={css.group}>
            <legend>{t('tags')}</legend>
            {TAGS.map((setting) => (
              <SettingField
                key={setting.name}
                current={current}
                setting={setting}
                inForce={tagOf(setting.name)?.model}
                problem={tagOf(setting.name)?.problem}
              />
            ))}
          </fieldset>
          <KeyedFields
            current={current}
            path={['models', 'byType']}
            kind={{ as: 'model' }}
            title={t('byType')}
            help={t('byTypeHelp')}
          />
          {models.error && <ProblemNotice problem={problemOf(models.error)} onRetry={() => void models.refetch()} />}
          {models.data && <ModelsInUse models={models.data} />}
          {models.data && <PriceList current={current} models={models.data} />}
        </>
      )}
    </WithSettings>
  );
}
