import type { ReactNode } from 'react';

interface StepLayoutProps {
  /** The amounts. */
  children: ReactNode;
  /** What completes the step: beside the amounts on a laptop, below them on a phone. */
  aside: ReactNode;
  /** On a phone it sticks to the bottom of the form, above the navigation. */
  action: ReactNode;
}

/** The layout of both steps of a transfer, within the form. */
export function StepLayout({ children, aside, action }: StepLayoutProps) {
  return (
    <div className="contents gap-6 lg:grid lg:grid-cols-[minmax(0,1fr)_24rem]">
      {children}
      {/* On a phone the action is a child of the form, to whose bottom it sticks. */}
      <div className="contents content-start gap-5 lg:grid lg:rounded-card lg:bg-surface lg:p-5 lg:shadow-1">
        {aside}
        <div className="above-navigation sticky bottom-0 z-30 -mx-4 bg-canvas px-4 pt-3 sm:-mx-6 sm:px-6 lg:static lg:mx-0 lg:mb-0 lg:bg-transparent lg:p-0">
          {action}
        </div>
      </div>
    </div>
  );
}
