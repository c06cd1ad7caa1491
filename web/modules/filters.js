// SPDX-License-Identifier: Apache-2.0
// The fields by which lists are filtered. Pipelines and zones come from the status.
import { element } from "./dom.js";
import { watchStatus } from "./status.js";

const kinds = ["face", "barcode", "object", "scene"];

export class Filters {
  /** `changed` is called when somebody chooses. */
  constructor(changed = () => {}) {
    const all = () => element("option", { value: "" }, "all");
    this.pipelines = element("select", { onchange: changed }, all());
    this.kinds = element("select", { onchange: changed }, all(), ...kinds.map((each) => element("option", { value: each }, each)));
    this.zones = element("select", { onchange: changed }, all());
    this.fields = [element("label", {}, "Pipeline", this.pipelines), element("label", {}, "Kind", this.kinds)];
    this.zoneField = element("label", { hidden: true }, "Zone", this.zones);
    this.end = watchStatus((status) => {
      for (const { name, zones } of status.pipelines) {
        offer(this.pipelines, name);
        for (const zone of zones ?? []) offer(this.zones, zone.name);
      }
      this.zoneField.hidden = this.zones.options.length < 2;
    });
  }

  get pipeline() { return this.pipelines.value; }
  get kind() { return this.kinds.value; }
  get zone() { return this.zones.value; }
}

function offer(select, value) {
  if (![...select.options].some((option) => option.value === value)) select.append(element("option", { value }, value));
}
