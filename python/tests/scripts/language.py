"""Hugging Face's Trainer."""

from datasets import load_dataset
from transformers import AutoModelForCausalLM, AutoTokenizer, Trainer, TrainingArguments

NAME = "tiny-model"
tokenizer = AutoTokenizer.from_pretrained(NAME)
model = AutoModelForCausalLM.from_pretrained(NAME)
data = load_dataset("text")["train"]
arguments = TrainingArguments(output_dir="out", per_device_train_batch_size=12, num_train_epochs=1)
trainer = Trainer(model=model, args=arguments, train_dataset=data)
trainer.train()
