#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes shufflenet_v2.onnx, which the catalogue's shufflenet_v2 needs, of the quantised file that onnx/models
publishes.

  shufflenet.py FOLDER                the published file is downloaded first (2.4 MB)
  shufflenet.py FOLDER --from FILE    it is this one

FOLDER gets the file, ready for: glimpsed models install shufflenet_v2 --from FOLDER. OpenVINO does not read quantised
convolutions of ONNX, so their weights become floats, and the quantisation between layers goes. Needs PyPI's onnx and
numpy: onnx 1.16 or later. Both files are under Apache-2.0. Exit status: 0, 1 when a file is not the one expected, 69
when the download failed.
"""
import argparse, hashlib, os, sys, urllib.request

URL = ('https://media.githubusercontent.com/media/onnx/models/f064171f7dd8e962a8a5b34eac8e1bcf83cebbde/'
       'vision/classification/shufflenet/model/shufflenet-v2-12-int8.onnx')
QUANTISED = 'bf5eefde67941aa7eaa7787316c9c52c4b04e07fc9587a6ea7028883be9a8d4e'
RESULT = '8ae89503f4b1e6f0ecabfd9b13a11f249bd1122f2580887f8b150c7b0f26453b'


class Dequantised:
    """The graph with floats for quantised values, node by node in its order."""

    def __init__(self, graph):
        from onnx import numpy_helper
        self.constants = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
        self.nodes, self.kept, self.aliases = [], {}, {}
        for node in graph.node:
            self.add(node)
        from onnx import helper
        for output in graph.output:
            if output.name in self.aliases:
                self.nodes.append(helper.make_node('Identity', [self.source(output.name)], [output.name]))
        self.graph = helper.make_graph(
            self.nodes, 'shufflenet_v2', [value for value in graph.input if value.name not in self.constants],
            list(graph.output), [numpy_helper.from_array(value, name) for name, value in self.kept.items()])

    def source(self, name):
        """Returns the node that gives the value. Quantisers are skipped."""
        while name in self.aliases:
            name = self.aliases[name]
        return name

    def floats(self, values, scale, zero, axis=0):
        import numpy as np
        values, scale, zero = (self.constants[name].astype(np.float32) for name in (values, scale, zero))
        if scale.ndim and scale.size > 1:
            shape = [1] * values.ndim
            shape[axis] = -1
            scale, zero = scale.reshape(shape), zero.reshape(shape) if zero.size > 1 else zero
        return ((values - zero) * scale).astype(np.float32)

    def add(self, node):
        from onnx import helper
        attributes = {item.name: helper.get_attribute_value(item) for item in node.attribute}
        inputs, output = list(node.input), node.output[0]
        match node.op_type:
            case 'QuantizeLinear' | 'DequantizeLinear':
                if inputs[0] in self.constants:
                    self.kept[output] = self.floats(*inputs[:3])
                else:
                    self.aliases[output] = self.source(inputs[0])
            case 'QLinearConv':
                self.add_convolution(node.name, inputs, output, attributes)
            case 'QLinearMatMul':
                weights = node.name + '_w'
                axis = -1 if self.constants[inputs[4]].size > 1 else 0
                self.kept[weights] = self.floats(*inputs[3:6], axis=axis)
                self.nodes.append(helper.make_node('MatMul', [self.source(inputs[0]), weights], [output], name=node.name))
            case 'QLinearAdd':
                terms = [self.term(node.name, inputs, first) for first in (0, 3)]
                self.nodes.append(helper.make_node('Add', terms, [output], name=node.name))
            case 'QLinearConcat':
                parts = [self.source(name) for name in inputs[2::3]]
                self.nodes.append(helper.make_node('Concat', parts, [output], name=node.name, **attributes))
            case _:
                self.copy(node, inputs)

    def add_convolution(self, name, inputs, output, attributes):
        import numpy as np
        from onnx import helper
        self.kept[name + '_w'] = self.floats(*inputs[3:6])
        taken = [self.source(inputs[0]), name + '_w']
        if len(inputs) > 8 and inputs[8]:
            scales = [self.constants[inputs[place]].astype(np.float32) for place in (1, 4)]
            bias = self.constants[inputs[8]].astype(np.float32) * (scales[0] * scales[1])
            self.kept[name + '_b'] = bias.astype(np.float32).reshape(-1)
            taken.append(name + '_b')
        # An unsigned output with its zero at 0 cuts off negative values.
        zero = self.constants[inputs[7]]
        is_cut = zero.dtype == np.uint8 and int(zero) == 0
        before = output + ('_pre' if is_cut else '')
        self.nodes.append(helper.make_node('Conv', taken, [before], name=name, **attributes))
        if is_cut:
            self.nodes.append(helper.make_node('Relu', [before], [output], name=name + '_relu'))

    def term(self, name, inputs, first):
        if inputs[first] not in self.constants:
            return self.source(inputs[first])
        constant = f'{name}_c{first}'
        self.kept[constant] = self.floats(*inputs[first:first + 3])
        return constant

    def copy(self, node, inputs):
        import onnx
        copied = onnx.NodeProto()
        copied.CopyFrom(node)
        del copied.input[:]
        for name in inputs:
            if name in self.constants:
                self.kept[name] = self.constants[name]
            copied.input.append(self.source(name))
        self.nodes.append(copied)


def published(path):
    if path:
        return open(path, 'rb').read()
    try:
        return urllib.request.urlopen(URL, timeout=60).read()
    except OSError as error:
        print(f'shufflenet.py: cannot get {URL}: {error}', file=sys.stderr)
        sys.exit(69)


def refuse_unless(data, expected, name):
    actual = hashlib.sha256(data).hexdigest()
    if actual != expected:
        print(f'shufflenet.py: {name} is not the expected file: its SHA-256 is {actual}, not {expected}', file=sys.stderr)
        sys.exit(1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('folder')
    parser.add_argument('--from', dest='file', metavar='FILE')
    arguments = parser.parse_args()
    data = published(arguments.file)
    refuse_unless(data, QUANTISED, arguments.file or URL)
    import onnx
    graph = Dequantised(onnx.load_model_from_string(data).graph).graph
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid('', 12)], producer_name='dequantised')
    model.ir_version = 7
    onnx.checker.check_model(model)
    result = model.SerializeToString()
    refuse_unless(result, RESULT, 'the result')
    os.makedirs(arguments.folder, exist_ok=True)
    with open(os.path.join(arguments.folder, 'shufflenet_v2.onnx'), 'wb') as file:
        file.write(result)


if __name__ == '__main__':
    main()
