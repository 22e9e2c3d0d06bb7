import { useStore } from '@nanostores/react';
import { Component, type ReactNode } from 'react';
import { i18n } from '#shared/i18n/i18n.ts';
import { loadAgain } from '#shared/lazy-again.ts';
import { Button } from '#shared/ui/button.tsx';

const MESSAGES = i18n('error-boundary', {
  title: 'Something went wrong',
  unknown: 'An unexpected error occurred',
  tryAgain: 'Try again',
});

interface ErrorBoundaryProps {
  /** A change of this value (the address) also clears the error. */
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

  override componentDidCatch(): void {
    loadAgain();
  }

  override componentDidUpdate(previous: ErrorBoundaryProps): void {
    if (this.state.hasFailed && previous.resetKey !== this.props.resetKey) this.setState(CLEAR);
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children;
    return <Failure error={this.state.error} onRetry={() => this.setState(CLEAR)} />;
  }
}

function Failure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const t = useStore(MESSAGES);
  const message = error instanceof Error && error.message;
  return (
    <div role="alert" className="grid min-h-[60dvh] place-content-center justify-items-center gap-2 px-4 text-center">
      <h1 className="text-title font-bold">{t.title}</h1>
      <p className="max-w-[60ch] text-ink2">{message || t.unknown}</p>
      <Button className="mt-4" onClick={onRetry}>
        {t.tryAgain}
      </Button>
    </div>
  );
}
