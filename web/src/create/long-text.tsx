import type { ComponentProps } from 'react';
import { LimitedText } from '../components/limited-text.tsx';
import css from './create.module.css';
import { useCreate } from './create-context.ts';

type Props = Omit<ComponentProps<typeof LimitedText>, 'onAttach'>;

/** Text that grows with what is typed; what does not fit may become a file. */
export function LongText({ className = '', ...rest }: Props) {
  const { attach } = useCreate();
  return <LimitedText {...rest} onAttach={attach} className={`${css.input} ${css.long} ${className}`} />;
}
