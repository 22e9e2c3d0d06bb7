import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToString } from 'react-dom/server';
import { StaticRouter } from 'react-router-dom';
import { AuthPage } from '#pages/auth-page.tsx';
import { PATHS } from '#shared/paths.ts';

/** The sign-in page as HTML, for the build. It is shown until the app has loaded and renders the same page. */
export function renderSignInPage(): string {
  return renderToString(
    <QueryClientProvider client={new QueryClient()}>
      <StaticRouter location={PATHS.auth}>
        <AuthPage />
      </StaticRouter>
    </QueryClientProvider>,
  );
}
