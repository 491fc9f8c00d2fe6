import type { Update } from '../model.ts';

/** The server says something at least every 15 s: after this silence nobody is there any more. */
const silenceMs = 40_000;

/** Follows the server for as long as the page is open. */
export const followServer = (handlers: {
  readonly onUpdate: (update: Update) => void;
  readonly onLost: () => void;
}): void => {
  let lastMs = Date.now();
  let stream: EventSource;
  const connect = (): void => {
    lastMs = Date.now();
    stream = new EventSource('stream');
    stream.addEventListener('message', ({ data }: MessageEvent<string>) => {
      lastMs = Date.now();
      handlers.onUpdate(JSON.parse(data) as Update);
    });
    // The browser connects again by itself, unless the server refused.
    stream.addEventListener('error', () => handlers.onLost());
  };
  connect();
  setInterval(() => {
    if (Date.now() - lastMs < silenceMs && stream.readyState !== EventSource.CLOSED) return;
    handlers.onLost();
    stream.close();
    connect();
  }, 5_000);
};
