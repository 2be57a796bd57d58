import type { ContentProps } from '../pane/pane.tsx';

export function ActionsContent({ item }: ContentProps) {
  return <p className="muted">{item.title}</p>;
}
