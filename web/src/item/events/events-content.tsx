import type { ContentProps } from '../pane/pane.tsx';

export function EventsContent({ item }: ContentProps) {
  return <p className="muted">{item.title}</p>;
}
