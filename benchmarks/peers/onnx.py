"""Peers that take an ONNX file. Their outputs lie in memory that is there before the first call."""

import numpy as np

from . import Peer, Run


class OnnxPeer(Peer):
    def prepare(self, work):
        work.ships.append(str(work.onnx()))


def speech(session, work):
    """The speech model's ONNX file leaves to its caller what the archive does itself: the last 64 samples go before the chunk, and
    the state is fed back."""
    chunk, rate = work.arguments()
    feed = {"input": np.concatenate([np.zeros((1, 64), np.float32), chunk], 1), "state": np.zeros((2, 1, 128), np.float32),
            "sr": np.array(rate, np.int64)}

    def call():
        probability, feed["state"] = session.run(None, feed)
        feed["input"] = np.concatenate([feed["input"][:, -64:], chunk], 1)
        return probability

    return Run(call, lambda probability: {"out0": probability})


class OnnxRuntime(OnnxPeer):
    name = "onnxruntime"

    def load(self, work):
        import onnxruntime as ort

        options = ort.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = work.threads, 1
        options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_ALL
        session = ort.InferenceSession(str(work.onnx()), options, providers=["CPUExecutionProvider"])
        if work.about()["numbers"]:
            return speech(session, work)
        binding, outputs = session.io_binding(), []
        for given, array in zip(session.get_inputs(), work.arguments()):
            binding.bind_ortvalue_input(given.name, ort.OrtValue.ortvalue_from_numpy(array))
        for wanted, array in zip(session.get_outputs(), work.expected().values()):
            outputs.append(ort.OrtValue.ortvalue_from_numpy(np.zeros_like(array)))
            binding.bind_ortvalue_output(wanted.name, outputs[-1])
        return Run(lambda: session.run_with_iobinding(binding), lambda _: {f"out{i}": v.numpy() for i, v in enumerate(outputs)})


class OpenVino(OnnxPeer):
    name = "openvino"

    def takes(self, row):
        return super().takes(row) and row.form != "archive"

    def load(self, work):
        import openvino

        core = openvino.Core()
        settings = {"INFERENCE_NUM_THREADS": work.threads, "NUM_STREAMS": 1, "PERFORMANCE_HINT": "LATENCY",
                    "INFERENCE_PRECISION_HINT": "f32"}
        compiled = core.compile_model(core.read_model(str(work.onnx())), "CPU", settings)
        request, arguments = compiled.create_infer_request(), work.arguments()
        for number, array in enumerate(arguments):  # they share their memory with the tensors: `held` keeps them alive
            request.set_input_tensor(number, openvino.Tensor(array, shared_memory=True))
        return Run(lambda held=arguments: request.infer(),
                   lambda _: {f"out{i}": request.get_output_tensor(i).data.copy() for i in range(len(compiled.outputs))})
