/**
 * The same answer, telling once when it is over: it was sent to its end, or the client went before that and no more of it
 * can reach anybody.
 */
export function watchedResponse(response: Response, over: (isComplete: boolean) => void): Response {
  if (!response.body) {
    over(true);
    return response;
  }
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (!done) return controller.enqueue(value);
      controller.close();
      over(true);
    },
    async cancel(reason) {
      over(false);
      await reader.cancel(reason);
    },
  });
  return new Response(body, response);
}
