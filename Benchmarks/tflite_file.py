# SPDX-License-Identifier: Apache-2.0
"""Writes TFLite files: version 3 of the schema in tensorflow/compiler/mlir/lite/schema/schema.fbs, by the PyPI packages
`tflite` and `flatbuffers`."""
import flatbuffers
import numpy
import tflite

TYPES = {'float32': tflite.TensorType.FLOAT32, 'float16': tflite.TensorType.FLOAT16, 'int32': tflite.TensorType.INT32,
         'uint8': tflite.TensorType.UINT8, 'int8': tflite.TensorType.INT8}


class TFLiteFile:
    """One picture in, one operator after the other, one tensor out."""

    def __init__(self):
        self.builder = flatbuffers.Builder(1 << 16)
        self.buffers = [self.table('Buffer')]
        self.tensors, self.operators, self.codes = [], [], []
        self.shapes = []

    def table(self, name, **fields):
        getattr(tflite, name + 'Start')(self.builder)
        for field, value in fields.items():
            getattr(tflite, name + 'Add' + field)(self.builder, value)
        return getattr(tflite, name + 'End')(self.builder)

    def offsets(self, values):
        self.builder.StartVector(4, len(values), 4)
        for value in reversed(values):
            self.builder.PrependUOffsetTRelative(value)
        return self.builder.EndVector()

    def numbers(self, values, kind):
        return self.builder.CreateNumpyVector(numpy.asarray(values, kind))

    def tensor(self, shape, kind='float32', data=None, quantised=None, name=None):
        """Gives the tensor's number. `quantised`: scale and zero point, value = scale * (stored - zero)."""
        buffer = 0
        if data is not None:
            content = numpy.ascontiguousarray(data, kind).tobytes()
            self.builder.StartVector(1, len(content), 16)  # as the format wants it: to be mapped
            self.builder.head -= len(content)
            self.builder.Bytes[self.builder.head:self.builder.head + len(content)] = content
            self.buffers.append(self.table('Buffer', Data=self.builder.EndVector()))
            buffer = len(self.buffers) - 1
        fields = {'Shape': self.numbers(shape, 'int32'), 'Type': TYPES[kind], 'Buffer': buffer,
                  'Name': self.builder.CreateString(name or f'tensor{len(self.tensors)}')}
        if quantised:
            scale, zero = self.numbers(quantised[:1], 'float32'), self.numbers(quantised[1:], 'int64')
            fields['Quantization'] = self.table('QuantizationParameters', Scale=scale, ZeroPoint=zero)
        self.tensors.append(self.table('Tensor', **fields))
        self.shapes.append(list(shape))
        return len(self.tensors) - 1

    def add(self, name, inputs, output, options=None, **fields):
        """The operator `name` with its table of options."""
        code = getattr(tflite.BuiltinOperator, name)
        if code not in self.codes:
            self.codes.append(code)
        inputs, outputs = self.numbers(inputs, 'int32'), self.numbers([output], 'int32')
        table = {'OpcodeIndex': self.codes.index(code), 'Inputs': inputs, 'Outputs': outputs}
        if options:
            table['BuiltinOptionsType'] = getattr(tflite.BuiltinOptions, options)
            table['BuiltinOptions'] = self.table(options, **fields)
        self.operators.append(self.table('Operator', **table))
        return output

    def write(self, path, picture, output):
        codes = [self.table('OperatorCode', DeprecatedBuiltinCode=code, BuiltinCode=code, Version=1) for code in self.codes]
        graph = self.table('SubGraph', Tensors=self.offsets(self.tensors), Inputs=self.numbers([picture], 'int32'),
                           Outputs=self.numbers([output], 'int32'), Operators=self.offsets(self.operators))
        model = self.table('Model', Version=3, OperatorCodes=self.offsets(codes), Subgraphs=self.offsets([graph]),
                           Buffers=self.offsets(self.buffers))
        self.builder.Finish(model, b'TFL3')
        with open(path, 'wb') as file:
            file.write(self.builder.Output())
