import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../components/button.tsx';
import { LANGUAGES, useLanguage } from '../../i18n/words.tsx';
import { forget, recall, remember } from '../../shell/remember.ts';
import { chooseTheme, THEMES, useTheme } from '../../shell/theme.ts';
import css from '../settings.module.css';

/** What one person likes in one browser. */
export function AppearanceSection() {
  const t = useTranslations();
  const theme = useTheme();
  const { language, choose } = useLanguage();
  return (
    <>
      <label className={css.field}>
        <span className={css.name}>{t('settings.browser.theme')}</span>
        <select
          className={css.input}
          value={theme}
          onChange={(event) => chooseTheme(THEMES.find((each) => each === event.target.value) ?? theme)}
        >
          {THEMES.map((each) => (
            <option key={each} value={each}>
              {t(`theme.${each}`)}
            </option>
          ))}
        </select>
      </label>
      <label className={css.field}>
        <span className={css.name}>{t('settings.browser.language')}</span>
        <select
          className={css.input}
          value={language}
          onChange={(event) => choose(LANGUAGES.find((each) => each === event.target.value) ?? language)}
        >
          {LANGUAGES.map((each) => (
            <option key={each} value={each}>
              {t(`language.${each}`)}
            </option>
          ))}
        </select>
      </label>
      <Notifications />
      <OwnToken />
    </>
  );
}

/** The browser is asked only when a person asks for it here. */
function Notifications() {
  const t = useTranslations('settings.browser');
  const isKnown = 'Notification' in window;
  const [permission, setPermission] = useState(isKnown ? Notification.permission : 'denied');
  const [isOn, setOn] = useState(recall('notify') === 'on');
  const turn = async (on: boolean): Promise<void> => {
    const given = on ? await Notification.requestPermission() : permission;
    setPermission(given);
    const is = on && given === 'granted';
    remember('notify', is ? 'on' : 'off');
    setOn(is);
  };
  const active = isOn && permission === 'granted';
  return (
    <div className={css.field}>
      <span className={css.name}>
        {t('notify')}
        <span className={css.help}>{t('notifyHelp')}</span>
      </span>
      <div className={css.value}>
        {isKnown ? (
          <div>
            <Button onClick={() => void turn(!active)} disabled={permission === 'denied'}>
              {t(active ? 'notifyOff' : 'notifyOn')}
            </Button>
          </div>
        ) : (
          <p className={css.help}>{t('unsupported')}</p>
        )}
        {isKnown && permission === 'denied' && <p className={css.help}>{t('denied')}</p>}
      </div>
    </div>
  );
}

function OwnToken() {
  const t = useTranslations('settings.browser');
  const token = recall('token');
  return (
    <div className={css.field}>
      <span className={css.name}>{t('token')}</span>
      <div className={css.value}>
        {token === undefined ? (
          <p className={css.help}>{t('noToken')}</p>
        ) : (
          <div className={css.line}>
            <code>{token.slice(0, 11)}…</code>
            <Button
              onClick={() => {
                forget('token');
                location.reload();
              }}
            >
              {t('forget')}
            </Button>
          </div>
        )}
      </div>
    </div>
  );
}
