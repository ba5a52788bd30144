/** What the tests use of `@grpc/grpc-js`, which is installed outside the repo. */
export interface GrpcLibrary {
  readonly Server: new () => GrpcServer;
  readonly ServerCredentials: {
    createSsl(
      roots: null,
      pairs: readonly { readonly private_key: Buffer; readonly cert_chain: Buffer }[],
    ): object;
  };
  readonly status: { readonly FAILED_PRECONDITION: number };
}

export interface GrpcServer {
  addService(
    service: Readonly<Record<string, object>>,
    handlers: Readonly<Record<string, (call: GrpcCall, done: GrpcDone) => void>>,
  ): void;
  bindAsync(address: string, credentials: object, done: (error: Error | null, port: number) => void): void;
  forceShutdown(): void;
}

interface GrpcCall {
  readonly request: string;
  readonly metadata: { getMap(): object };
  on(event: 'data' | 'end', listener: (text: string) => void): void;
  write(text: string): void;
  end(): void;
}

type GrpcDone = (error: { readonly code: number; readonly details: string } | null, answer?: string) => void;
