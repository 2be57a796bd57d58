import { useMutation } from '@tanstack/react-query';
import { Play, Square } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { CheckTrial as Result } from '../../../src/client/index.ts';
import { asked, client, problemOf } from '../api/client.ts';
import { useSingle } from '../api/use-single.ts';
import { Button } from '../components/button.tsx';
import { Mark, type Tone } from '../components/mark.tsx';
import { ProblemNotice } from '../components/problem.tsx';
import { duration } from '../components/values.tsx';
import { isWholePath } from './compile-form.ts';
import css from './create.module.css';
import { useCreate } from './create-context.ts';
import { DirtyChoices } from './dirty-choices.tsx';
import type { Form } from './form.ts';

/** What decides how a trial ends; another one says nothing about this. */
const bodyOf = ({ directory, setup, dirty, inPlace }: Form, run: string) => ({
  ...{ directory: directory.trim(), check: run.trim(), dirty, inPlace },
  ...(setup.trim() === '' ? {} : { setup: setup.trim() }),
});

/** Runs the check on the directory as it is, before anything is created, and shows what it says today. */
export function CheckTrial({ run }: { readonly run: string }) {
  const t = useTranslations('create.trial');
  const { form, change } = useCreate();
  const leaving = useRef<AbortController>(undefined);
  const body = bodyOf(form, run);
  const trial = useMutation({
    mutationFn: (sent: typeof body) => {
      leaving.current = new AbortController();
      const { signal } = leaving.current;
      return asked(client.post('/api/v1/checks/trial', { body: sent, signal }));
    },
  });
  const start = useSingle(trial);
  useEffect(() => () => leaving.current?.abort(), []);
  const missing = (body.check === '' && t('needsCheck')) || (!isWholePath(body.directory) && t('needsDirectory')) || '';
  const stop = (): void => {
    leaving.current?.abort();
    trial.reset();
  };
  const choose = (part: Pick<Form, 'dirty'>): void => {
    change((now) => ({ ...now, ...part }));
    start(bodyOf({ ...form, ...part }, run));
  };
  const isOfThis = JSON.stringify(trial.variables) === JSON.stringify(body);
  return (
    <div className={css.trial}>
      {trial.isPending ? (
        <div className={css.row}>
          <Button icon={<Square size={12} aria-hidden />} onClick={stop}>
            {t('stop')}
          </Button>
          <Elapsed />
        </div>
      ) : (
        <div className={css.row}>
          <Button
            icon={<Play size={13} aria-hidden />}
            disabled={missing !== ''}
            title={missing}
            onClick={() => start(body)}
          >
            {t('run')}
          </Button>
          {body.check !== '' && missing !== '' && <span className="small muted">{missing}</span>}
          {trial.isSuccess && !isOfThis && <span className="small muted">{t('changed')}</span>}
        </div>
      )}
      <div aria-live="polite">{trial.isSuccess && isOfThis && <Verdict result={trial.data} />}</div>
      {trial.isError && isOfThis && (
        <>
          <ProblemNotice problem={problemOf(trial.error)} />
          <DirtyChoices problem={problemOf(trial.error)} onChoose={choose} />
        </>
      )}
    </div>
  );
}

const SECOND_MS = 1_000;

function Elapsed() {
  const t = useTranslations('create.trial');
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <span className="small muted num" role="status">
      {t('running', { time: duration(seconds * SECOND_MS) })}
    </span>
  );
}

/** Red is what one wants to see here; green warns. */
const meaningOf = ({ verdict }: Result): 'passed' | 'red' | 'broken' => {
  if (verdict === 'passed') return 'passed';
  return verdict === 'wrong_exit' || verdict === 'output_mismatch' ? 'red' : 'broken';
};

const TONES: Readonly<Record<ReturnType<typeof meaningOf>, Tone>> = {
  passed: 'needs',
  red: 'failed',
  broken: 'unknown',
};

/** Why it failed stands at the end. */
const toEnd = (output: HTMLPreElement | null): void => {
  if (output) output.scrollTop = output.scrollHeight;
};

function Verdict({ result }: { readonly result: Result }) {
  const t = useTranslations('create.trial');
  const { verdict, exitCode, durationMs, tail, at, sandboxed, inPlace } = result;
  const meaning = meaningOf(result);
  const facts = [
    exitCode === null ? '' : t('exit', { code: exitCode }),
    duration(durationMs),
    at === null ? '' : at.replace('content:', '').slice(0, 7),
    sandboxed ? '' : t('unconfined'),
    inPlace ? t('inPlace') : '',
  ].filter((fact) => fact !== '');
  return (
    <div className={css.verdict} data-meaning={meaning}>
      <p className={css.verdictHead}>
        <Mark tone={TONES[meaning]}>{t(`verdict.${verdict}`)}</Mark>
        <span className="small muted num">{facts.join(' · ')}</span>
      </p>
      <p className="small">{t(`means.${meaning}`)}</p>
      {tail.trim() === '' ? (
        <p className="small muted">{t('noOutput')}</p>
      ) : (
        <details open={meaning !== 'passed'}>
          <summary className="small">{t('output')}</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
          <pre ref={toEnd} tabIndex={0} className={css.output}>
            {tail}
          </pre>
        </details>
      )}
    </div>
  );
}
