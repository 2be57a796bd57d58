import { useTranslations } from 'use-intl';
import type { Request } from '../../../src/client/index.ts';
import { visible } from '../../../src/text/visible.ts';
import css from './facts.module.css';
import { callOf } from './question.ts';

const textOf = (value: unknown): string => (typeof value === 'string' ? visible(value) : '');

/** From so many on the box has more than is in sight. */
const MANY_LINES = 10;

/** Of a tool call: what it does, where, what may come of it, and how far a leave would reach. */
export function ApprovalFacts({ request }: { readonly request: Request }) {
  const t = useTranslations('ask');
  const { tool, directory, pattern } = request.subject;
  const call = callOf(request.subject);
  const risks = request.details.filter((detail) => detail !== `in ${directory}`).map(visible);
  const isWide = request.choices.includes('approve_pattern');
  return (
    <dl className={css.facts}>
      <dt>{t('what')}</dt>
      <dd>
        <span className={css.tool}>{textOf(tool)}</span>
        {call.lines > MANY_LINES && <span className="muted"> · {t('lines', { n: call.lines })}</span>}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and so has to be reached by keyboard */}
        <pre className={css.call} dir="ltr" tabIndex={0}>
          {call.text}
        </pre>
        {!call.isWhole && <p className={css.cut}>{t('onlyFirstLine')}</p>}
      </dd>
      <dt>{t('where')}</dt>
      <dd className="mono" dir="ltr">
        {textOf(directory)}
      </dd>
      <dt>{t('risk')}</dt>
      <dd dir="auto">{risks.join(' ')}</dd>
      <dt>{t('undo')}</dt>
      <dd>{t('undoUnknown')}</dd>
      <dt>{t('covers')}</dt>
      <dd>
        {t('once')}
        {isWide && (
          <>
            {' · '}
            {t('choice.approve_pattern')}: <code>{textOf(pattern)}</code>
          </>
        )}
      </dd>
    </dl>
  );
}
