import { Component, type ReactNode } from 'react';
import { Failed } from './failed.tsx';

interface Props {
  /** `page`: nothing else is left; `part`: the rest of the page goes on beside it. */
  readonly extent: 'page' | 'part';
  /** Another value is another place: what failed there says nothing about here. */
  readonly place?: string;
  readonly children: ReactNode;
}

interface State {
  readonly error: unknown;
  readonly place: string | undefined;
}

/** A defect of ours ends what it happened in, and nothing beside it; it says so, and what can be done. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: undefined, place: this.props.place };

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error: error ?? new Error('Something was thrown that is nothing.') };
  }

  static getDerivedStateFromProps({ place }: Props, state: State): Partial<State> | null {
    return place === state.place ? null : { error: undefined, place };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return <Failed error={error} extent={this.props.extent} onAgain={() => this.setState({ error: undefined })} />;
  }
}
