// SPDX-License-Identifier: Apache-2.0
// The pictures of all pipelines of the wall over one connection.
import { followAll } from "./pictures.js";

/** The most viewers that the daemon allows. */
const mostPipelines = 32;

export class WallPictures {
  constructor() {
    this.viewers = new Map(); // pipeline -> the functions of its stage
    this.parameters = {};
    this.end = () => {};
    this.isDue = false;
    /** In place of `follow`. */
    this.source = (name, parameters, take, tell) => {
      this.parameters = parameters;
      this.viewers.set(name, { take, tell });
      this.restart();
      return () => {
        this.viewers.delete(name);
        this.restart();
      };
    };
  }

  /** Asks for the present pipelines. Pipelines that come in one turn are asked for together. */
  restart() {
    if (this.isDue) return;
    this.isDue = true;
    queueMicrotask(() => {
      this.isDue = false;
      this.end();
      const names = [...this.viewers.keys()].slice(0, mostPipelines);
      this.end = names.length
        ? followAll(names, this.parameters, (record) => this.viewers.get(record.header.pipeline)?.take(record), (text) => this.tell(text))
        : () => {};
    });
  }

  tell(text) {
    for (const { tell } of this.viewers.values()) tell(text);
  }
}
