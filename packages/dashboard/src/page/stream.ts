import type { Update } from '../model.ts';

/** The server sends a message at least every 15 s: after this silence the connection counts as lost. */
const silenceMs = 40_000;

/** Follows the server while the page is open. */
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
    // The browser reconnects by itself, unless the server refused.
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
