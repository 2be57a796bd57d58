import css from './actions.module.css';

/** More lines than this are output that was quoted. */
const FEW_LINES = 3;

/** What was said; where output follows it, that stands in a box of its own. */
export function Words({ text }: { readonly text: string }) {
  const lines = text.trim().split('\n');
  const said = lines.length > FEW_LINES ? lines.slice(0, FEW_LINES - 1) : lines;
  const output = lines.slice(said.length);
  return (
    <>
      <p className={css.words} dir="auto">
        {said.join('\n')}
      </p>
      {output.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and so has to be reached by keyboard
        <pre className={`${css.bytes} ${css.quoted}`} tabIndex={0} dir="auto">
          {output.join('\n')}
        </pre>
      )}
    </>
  );
}
