import { useTranslations } from 'use-intl';
import css from './conversation.module.css';
import type { Quote } from './quote.ts';

/** Words that a message is about, with who said them or where they stand. */
export function Quoted({ quote: { from, text } }: { readonly quote: Quote }) {
  const t = useTranslations('talk');
  const isSpeaker = from === 'person' || from === 'coordinator';
  return (
    <blockquote className={css.quote} dir="auto">
      <span className="faint small">{isSpeaker ? t(`speaker.${from}`) : from}</span>
      <p className="clamp2">{text}</p>
    </blockquote>
  );
}
