import type { ComponentType } from 'react';
import { useTranslations } from 'use-intl';
import { Link, useParams } from 'wouter';
import { ShownInstead } from '../shell/not-found.tsx';
import { PageTitle } from '../shell/page-title.tsx';
import { AccessSection } from './sections/access.tsx';
import { AppearanceSection } from './sections/appearance.tsx';
import { BudgetSection } from './sections/budget.tsx';
import { DiskSection } from './sections/disk.tsx';
import { GeneralSection } from './sections/general.tsx';
import { ModelsSection } from './sections/models.tsx';
import { PermissionsSection } from './sections/permissions.tsx';
import { WebhooksSection } from './sections/webhooks.tsx';
import { WorkersSection } from './sections/workers.tsx';
import css from './settings.module.css';

const SECTIONS = {
  general: GeneralSection,
  models: ModelsSection,
  budget: BudgetSection,
  permissions: PermissionsSection,
  appearance: AppearanceSection,
  access: AccessSection,
  webhooks: WebhooksSection,
  workers: WorkersSection,
  disk: DiskSection,
} as const satisfies Readonly<Record<string, ComponentType>>;

type Name = keyof typeof SECTIONS;
const NAMES = Object.keys(SECTIONS) as readonly Name[];

/** What holds for the installation, and for this browser. */
export function SettingsPage() {
  const t = useTranslations('settings');
  const { section } = useParams();
  const shown = NAMES.find((name) => name === section) ?? 'general';
  const Section = SECTIONS[shown];
  return (
    <div className={css.page}>
      <PageTitle name={t(`section.${shown}`)} />
      <nav className={css.nav} aria-label={t('sections')}>
        <h1>{t('title')}</h1>
        <ul>
          {NAMES.map((name) => (
            <li key={name}>
              <Link
                href={`/settings/${name}`}
                className={`${css.place} ${name === shown ? css.here : ''}`}
                aria-current={name === shown ? 'page' : undefined}
              >
                {t(`section.${name}`)}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <section className={css.section} aria-labelledby="section-title" key={shown}>
        <header className={css.intro}>
          <h2 id="section-title">{t(`section.${shown}`)}</h2>
          <p className="muted">{t(`intro.${shown}`)}</p>
        </header>
        {section !== undefined && section !== shown && <ShownInstead />}
        <Section />
      </section>
    </div>
  );
}
