#!/usr/bin/env python3
"""Trains a real model for some steps and prints what they took, as JSON: for bench_training.py, which starts it by
itself or under `skyline run`.

    real_training.py hugging-face|lightning plain|torch.profiler STEPS FIRST

Steps from FIRST on count. Models are built from configurations; nothing is downloaded.
"""

import json
import logging
import sys
import tempfile
import time
import warnings

warnings.filterwarnings("ignore")
SAMPLES, WORDS, VOCABULARY = 16, 32, 1000


class Clock:
    """Notes the end of each step, and switches torch.profiler on before the first that counts."""

    def __init__(self, first: int, records: bool) -> None:
        self.first, self.records = first, records
        self.ends: list[tuple[float, float]] = []
        self.count = 0

    def step_ended(self) -> None:
        self.count += 1
        if self.records and self.count == self.first - 1:
            import torch

            cpu = [torch.profiler.ProfilerActivity.CPU]
            torch.profiler.profile(activities=cpu, record_shapes=True, profile_memory=True, with_stack=True).start()
        if self.count >= self.first:
            self.ends.append((time.perf_counter(), time.process_time()))

    def show(self) -> None:
        pairs = list(zip(self.ends, self.ends[1:]))
        (_, first_cpu), (_, last_cpu) = self.ends[0], self.ends[-1]
        wall = sorted(b[0] - a[0] for a, b in pairs)
        print(json.dumps({"wall": wall[len(wall) // 2], "cpu": (last_cpu - first_cpu) / len(pairs)}), flush=True)


def hugging_face(steps: int, clock: Clock) -> None:
    import torch
    import transformers

    transformers.logging.set_verbosity_error()
    size = {"hidden_size": 128, "num_hidden_layers": 4, "num_attention_heads": 4, "intermediate_size": 512}
    model = transformers.BertForSequenceClassification(transformers.BertConfig(vocab_size=VOCABULARY, **size))
    rows = [
        {"input_ids": torch.randint(0, VOCABULARY, (WORDS,)), "labels": torch.tensor(i % 2)}
        for i in range(steps * SAMPLES)
    ]

    class Callback(transformers.TrainerCallback):
        def on_step_end(self, *arguments: object, **more: object) -> None:
            clock.step_ended()

    with tempfile.TemporaryDirectory() as folder:
        options = transformers.TrainingArguments(
            folder,
            per_device_train_batch_size=SAMPLES,
            max_steps=steps,
            report_to=[],
            save_strategy="no",
            disable_tqdm=True,
            use_cpu=True,
            logging_strategy="no",
        )
        transformers.Trainer(model=model, args=options, train_dataset=rows, callbacks=[Callback()]).train()


def lightning(steps: int, clock: Clock) -> None:
    import lightning as frame
    import torch
    from torch import nn
    from torch.utils.data import DataLoader, TensorDataset

    logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)

    class Net(frame.LightningModule):
        def __init__(self) -> None:
            super().__init__()
            blocks = [part for _ in range(4) for part in (nn.Linear(256, 256), nn.LayerNorm(256), nn.ReLU())]
            self.layers = nn.Sequential(nn.Linear(64, 256), nn.ReLU(), *blocks, nn.Linear(256, 10))

        def training_step(self, batch: list[torch.Tensor], _number: int) -> torch.Tensor:
            loss = nn.functional.cross_entropy(self.layers(batch[0]), batch[1])
            self.log("loss", loss)
            return loss

        def configure_optimizers(self) -> torch.optim.Optimizer:
            return torch.optim.AdamW(self.parameters())

    class Callback(frame.Callback):
        def on_train_batch_end(self, *arguments: object, **more: object) -> None:
            clock.step_ended()

    data = TensorDataset(torch.randn(steps * SAMPLES, 64), torch.randint(0, 10, (steps * SAMPLES,)))
    trainer = frame.Trainer(
        max_epochs=1,
        accelerator="cpu",
        logger=False,
        enable_checkpointing=False,
        enable_progress_bar=False,
        enable_model_summary=False,
        callbacks=[Callback()],
    )
    trainer.fit(Net(), DataLoader(data, batch_size=SAMPLES))


def main() -> None:
    model, way, steps, first = sys.argv[1:]
    clock = Clock(int(first), way == "torch.profiler")
    {"hugging-face": hugging_face, "lightning": lightning}[model](int(steps), clock)
    clock.show()


if __name__ == "__main__":
    main()
