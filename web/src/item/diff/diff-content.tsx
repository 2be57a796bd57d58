import type { ContentProps } from '../pane/pane.tsx';

export function DiffContent({ item }: ContentProps) {
  return <p className="muted">{item.title}</p>;
}
