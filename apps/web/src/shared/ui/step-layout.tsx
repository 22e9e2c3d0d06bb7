import type { ReactNode } from 'react';

interface StepLayoutProps {
  /** The amounts. */
  children: ReactNode;
  /** What completes the step: beside the amounts on a laptop, below them on a phone. */
  aside: ReactNode;
  action: ReactNode;
  /** Whether the action is not sticky. Otherwise, on a phone, it sticks to the form's bottom, above the navigation. */
  isResting?: boolean;
  /** Whether the aside keeps its height, so that it may stand in the middle of a taller card. */
  isAsideCentred?: boolean;
}

const STICKY =
  'above-navigation sticky bottom-0 z-30 -mx-4 border-t border-line bg-canvas px-4 pt-3 sm:-mx-6 sm:px-6 lg:static lg:border-0 lg:mx-0 lg:mb-0 lg:bg-transparent lg:p-0';

/** The layout of both steps of a transfer or a withdrawal, within the form. On a laptop one card holds both columns. */
export function StepLayout({ children, aside, action, isResting, isAsideCentred }: StepLayoutProps) {
  return (
    <div className="contents overflow-hidden lg:grid lg:grid-cols-[7fr_5fr] lg:rounded-card lg:bg-surface lg:shadow-1 lg:[&_section]:shadow-none">
      {children}
      {/* `contents` makes the action a layout child of the form on a phone, so that it sticks to the form's bottom. */}
      <div
        className={`contents flex-col gap-5 border-l border-line lg:flex lg:p-5 ${isAsideCentred ? 'justify-center' : ''}`}
      >
        {aside}
        <div className={`${isResting ? '' : STICKY} ${isAsideCentred ? '' : 'lg:mt-auto'}`}>{action}</div>
      </div>
    </div>
  );
}
