import type { ReactNode } from 'react';

interface StepLayoutProps {
  /** The amounts. */
  children: ReactNode;
  /** What completes the step: beside the amounts on a laptop, below them on a phone. */
  aside: ReactNode;
  action: ReactNode;
  /** Whether the action is not sticky. Otherwise, on a phone, it sticks to the form's bottom, above the navigation. */
  isResting?: boolean;
}

const STICKY =
  'above-navigation sticky bottom-0 z-30 -mx-4 bg-canvas px-4 pt-3 sm:-mx-6 sm:px-6 lg:static lg:mx-0 lg:mb-0 lg:bg-transparent lg:p-0';

/** The layout of both steps of a transfer or a withdrawal, within the form. On a laptop each card ends with its content. */
export function StepLayout({ children, aside, action, isResting }: StepLayoutProps) {
  return (
    <div className="contents items-start gap-4 lg:grid lg:grid-cols-[7fr_5fr]">
      {children}
      {/* `contents` makes the action a layout child of the form on a phone, so that it sticks to the form's bottom. */}
      <div className="contents flex-col gap-5 lg:flex lg:rounded-card lg:bg-surface lg:p-5 lg:shadow-1">
        {aside}
        <div className={isResting ? '' : STICKY}>{action}</div>
      </div>
    </div>
  );
}
