import { Component, type ReactNode } from 'react';
import { Button } from '#shared/ui/button.tsx';

const TEXT = {
  title: 'Something went wrong',
  unknown: 'An unexpected error occurred',
  tryAgain: 'Try again',
} as const;

interface ErrorBoundaryProps {
  /** A change of it (the address) also clears the error. */
  resetKey?: string;
  children: ReactNode;
}

interface ErrorBoundaryState {
  error: unknown;
  hasFailed: boolean;
}

const CLEAR: ErrorBoundaryState = { error: undefined, hasFailed: false };

export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state = CLEAR;

  static getDerivedStateFromError(error: unknown): ErrorBoundaryState {
    return { error, hasFailed: true };
  }

  override componentDidUpdate(previous: ErrorBoundaryProps): void {
    if (this.state.hasFailed && previous.resetKey !== this.props.resetKey) this.setState(CLEAR);
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children;
    const message = this.state.error instanceof Error && this.state.error.message;
    return (
      <div role="alert" className="grid min-h-[60dvh] place-content-center justify-items-center gap-2 px-4 text-center">
        <h1 className="text-title font-bold">{TEXT.title}</h1>
        <p className="max-w-[60ch] text-ink2">{message || TEXT.unknown}</p>
        <Button className="mt-4" onClick={() => this.setState(CLEAR)}>
          {TEXT.tryAgain}
        </Button>
      </div>
    );
  }
}
