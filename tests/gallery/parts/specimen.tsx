import type { ReactNode } from 'react';

/** A part in one of its states, under the state's name. */
export function Specimen({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <section>
      <h2 className="specimen">{name}</h2>
      {children}
    </section>
  );
}
